const dayMs = 24 * 60 * 60_000;

/** The clock on a wall of a time zone. What it shows is a number, too: the moment at which a clock in UTC shows the same. */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** What it shows at a moment, in whole seconds. */
  shownAt(moment: number): number {
    const shown = new Map(this.#format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  }

  /** The first moment at which it shows this; where it never does, the one at which the clocks were put past it. */
  firstMoment(shown: number): number {
    const earlier = shown - this.#ahead(shown - dayMs);
    const later = shown - this.#ahead(shown + dayMs);
    const first = [earlier, later].toSorted((a, b) => a - b).find((moment) => this.shownAt(moment) === shown);
    return first ?? this.#changeBetween(later, earlier, shown);
  }

  /** By how much it is ahead of UTC. */
  #ahead(moment: number): number {
    return this.shownAt(moment) - moment;
  }

  /** The first moment of those after `from`, up to `to`, at which it shows more than this. */
  #changeBetween(from: number, to: number, shown: number): number {
    let [before, after] = [from, to];
    while (after - before > 1000) {
      const middle = before + Math.floor((after - before) / 2000) * 1000;
      if (this.shownAt(middle) > shown) after = middle;
      else before = middle;
    }
    return after;
  }
}
