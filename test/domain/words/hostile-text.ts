import * as fc from 'fast-check';

/** Text as somebody writes it who wants a reader to see something else. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001B',
        '\u001B[',
        '\u001B]',
        '\u001BP',
        '\u001B(',
        '\u001B\\',
        '\u0090',
        '\u009B',
        '\u009C',
        '\u009D',
        '\u0007',
        '\u0018',
        ';',
        '0',
        '#',
        'm',
        '\r',
        '\n',
        '\u202E',
        '\u200B',
        '\u200D',
        '\uFE0F',
        '\u20E3',
        '\u2028',
        '\uD83D',
        '\uDC69',
        '👩',
        '🏽',
        '❤',
        '\u{E0041}',
      ),
      fc.string(),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((pieces) => pieces.join(''));
