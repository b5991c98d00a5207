import { expect, test } from 'vitest';
import { cronOf } from '../../../src/domain/schedule/when.js';

test.each([
  ['every weekday 7:00', '0 7 * * 1-5'],
  ['Every  Weekday at 7', '0 7 * * 1-5'],
  ['every day at 9', '0 9 * * *'],
  ['every day 9pm', '0 21 * * *'],
  ['every day at 12 am', '0 0 * * *'],
  ['every day at 12:15 pm', '15 12 * * *'],
  ['every weekend 10:30', '30 10 * * 0,6'],
  ['every monday 8:30', '30 8 * * 1'],
  ['every monday and thursday 8:30', '30 8 * * 1,4'],
  ['every monday, wednesday and friday at 6:05', '5 6 * * 1,3,5'],
  ['every minute', '* * * * *'],
  ['every 15 minutes', '*/15 * * * *'],
  ['every hour', '0 * * * *'],
  ['every 6 hours', '0 */6 * * *'],
  ['first of the month 6:00', '0 6 1 * *'],
  ['on the 15th of every month at 18:30', '30 18 15 * *'],
  ['15th of the month 6:00', '0 6 15 * *'],
  ['last day of the month at 18', '0 18 L * *'],
  ['0 7 * * 1-5', '0 7 * * 1-5'],
  ['*/5 9-17 * * mon-fri', '*/5 9-17 * * MON-FRI'],
  ['@daily', '@daily'],
])('%s is %s', (words, cron) => {
  expect(cronOf(words)).toBe(cron);
});

test.each([
  ['', 'says no times that are understood'],
  ['tomorrow at 9', 'says no times that are understood'],
  ['every day', 'The times, line 1, column 10: Say at what time, too: "every day at 9:00".'],
  ['0 7 * *', 'The times, line 1, column 8: "0 7 * *" is neither plain words nor cron with five fields.'],
  ['0 0 7 * * 1-5', 'The times, line 1, column 11: '],
  [' every blue 7:00', 'The times, line 1, column 8: "every blue 7:00" says no times that are understood'],
  ['every day at 24:00', 'The times, line 1, column 14: 24:00 is no time of day'],
  ['every day at 7:60', '7:60 is no time of day'],
  ['every day at 13 pm', '13:00 pm is no time of day'],
  ['every 7 minutes', 'does not divide an hour evenly. Choose one of 1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30.'],
  ['every 0 hours', 'The times, line 1, column 7: Every 0 hours does not divide a day evenly'],
  ['32nd of the month 6:00', 'The times, line 1, column 1: No month has a day 32.'],
  ['0 7 * *', 'neither plain words nor cron with five fields'],
  ['* * * * * *', 'neither plain words nor cron with five fields'],
  ['2026-01-01T00:00:00', 'neither plain words nor cron with five fields'],
  ['@reboot', 'neither plain words nor cron with five fields'],
])('%j is refused with a sentence', (words, sentence) => {
  expect(() => cronOf(words)).toThrow(
    expect.objectContaining({ code: 'invalid', message: expect.stringContaining(sentence) }),
  );
});
