import type { ItemContent } from '../../protocol/item.js';

/** What an item says, as one text. */
export function itemText({ content }: { readonly content: ItemContent }): string {
  const [first, ...others] = content;
  return others.reduce((text, part) => text + part.text, first?.text ?? '');
}

export function contentOf(text: string): ItemContent {
  return [{ type: 'text', text }];
}
