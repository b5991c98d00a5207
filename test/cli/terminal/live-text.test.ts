import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LiveText } from '../../../src/cli/terminal/live-text.js';

it('shows every word once, however the text is cut into pieces and paragraphs', () => {
  const paragraph = fc.string({ minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(paragraph, { minLength: 1 }),
      fc.integer({ min: 1, max: 30 }),
      (paragraphs, size) => {
        const text = paragraphs.join('');
        const live = new LiveText();
        let shown = '';
        let told = 0;
        let end = 0;
        for (let at = 0; at < text.length; at += size) {
          shown += live.piece(text.slice(at, at + size));
          while (told < paragraphs.length && end + (paragraphs[told]?.length ?? 0) <= at + size) {
            shown += live.paragraph(paragraphs[told] ?? '');
            end += paragraphs[told]?.length ?? 0;
            told += 1;
          }
        }
        expect(shown).toBe(text);
      },
    ),
  );
});

it('shows a paragraph whole when pieces of it were missed', () => {
  const live = new LiveText();
  expect([live.piece('Hel'), live.paragraph('Hello.\n\n'), live.paragraph('Again.')]).toEqual([
    'Hel',
    'lo.\n\n',
    'Again.',
  ]);
  expect([live.piece('rld'), live.paragraph('World')]).toEqual(['rld', '\nWorld']);
});
