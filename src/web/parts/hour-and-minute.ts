// Made once: making one costs more than a screen of times.
const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** A moment as a clock shows it: `14:05`. */
export function hourAndMinute(at: string): string {
  return format.format(Date.parse(at));
}
