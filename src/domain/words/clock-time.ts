const dayMs = 24 * 60 * 60_000;

const nearDays = 300;

/** A moment as a clock shows it, with the day and the year where they are not clear: `14:05`, `Wed 18 Nov, 07:00`. */
export function clockTime(
  at: string,
  { now, timeZone }: { readonly now: number; readonly timeZone?: string },
): string {
  const moment = Date.parse(at);
  const options = {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone !== undefined && { timeZone }),
  } as const;
  const isNear = Math.abs(moment - now) < nearDays * dayMs;
  const day = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!isNear && ({ year: 'numeric' } as const)),
  } as const;
  const dated = new Intl.DateTimeFormat('en-GB', { ...options, ...day });
  const isToday = Math.abs(moment - now) < dayMs && dayOf(moment, timeZone) === dayOf(now, timeZone);
  return (isToday ? new Intl.DateTimeFormat('en-GB', options) : dated).format(moment);
}

function dayOf(moment: number, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(moment);
}
