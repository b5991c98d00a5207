type Place = 'text' | 'escape' | 'string' | 'string escape';

const escape = '\u001B';
const bell = '\u0007';
// A sequence that tells a terminal a text (its title, a link): there a bell is the end of the text, and nothing rings.
const opensText = new Set([']', 'P', '^', '_', 'X']);

/** Finds the bell in what a program writes to its terminal, wherever the text is cut. */
export class BellFinder {
  #place: Place = 'text';

  /** Whether the bell rang in this piece. */
  hears(text: string): boolean {
    let rang = false;
    for (const character of text) {
      if (this.#place === 'text' && character === bell) rang = true;
      this.#place = next(this.#place, character);
    }
    return rang;
  }
}

function next(place: Place, character: string): Place {
  switch (place) {
    case 'text':
      return character === escape ? 'escape' : 'text';
    case 'escape':
      if (character === escape) return 'escape';
      return opensText.has(character) ? 'string' : 'text';
    case 'string':
      if (character === bell) return 'text';
      return character === escape ? 'string escape' : 'string';
    case 'string escape':
      return character === escape ? 'string escape' : 'text';
    default:
      return place satisfies never;
  }
}
