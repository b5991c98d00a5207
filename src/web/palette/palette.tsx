import './palette.css';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { longestSearch } from '../../domain/thread/search-words.js';
import { shortPlace } from '../../domain/words/place-words.js';
import { promptKind } from '../../domain/words/prompt-words.js';
import { useConsole } from '../console-context.js';
import { askedIn } from '../home/asked-in.js';
import { noFilter, since } from '../home/filter.js';
import { useFound } from '../home/use-found.js';
import { useOverview } from '../overview/use-overview.js';
import { Age } from '../parts/age.js';
import { MarkView, ThreadMark } from '../parts/mark.js';
import { paletteCommands } from './palette-commands.js';
import { type PaletteEntry, paletteSections } from './palette-entries.js';

/** Search over questions, threads, what was said, and commands: typed, chosen with the arrow keys, opened with Enter. */
export default function Palette({
  opening,
  onClosed,
  onHelp,
  onNewWork,
}: {
  readonly opening: number;
  readonly onClosed: (opening: number) => void;
  readonly onHelp: () => void;
  readonly onNewWork: (() => void) | undefined;
}): ReactNode {
  const { navigation, overview: store, clock } = useConsole();
  const overview = useOverview(store);
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const { found } = useFound({ ...noFilter, text: typed.startsWith('>') ? '' : typed });
  const sections = useMemo(() => {
    const commands = paletteCommands({ navigation, typed, onHelp, onNewWork });
    return paletteSections(typed, { overview, found, commands, now: clock.now });
  }, [navigation, typed, onHelp, onNewWork, overview, found, clock]);
  const entries = sections.flatMap((section) => section.entries);
  const chosen = entries[Math.min(place, entries.length - 1)];
  useEffect(() => {
    if (chosen) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const take = (entry: PaletteEntry) => {
    dialog.current?.close();
    if (entry.kind === 'command') entry.command.run();
    else navigation.go(entry.place);
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setPlace((Math.min(place, entries.length - 1) + step + entries.length) % Math.max(1, entries.length));
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && chosen) {
      event.preventDefault();
      take(chosen);
    }
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Search or run a command"
      onClose={() => onClosed(opening)}
    >
      <input
        type="search"
        role="combobox"
        aria-label="Search or run a command"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen && optionId(id, chosen)}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder="Search or run a command"
        maxLength={longestSearch}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setPlace(0);
        }}
        onKeyDown={press}
      />
      <div ref={list} id={id} role="listbox" aria-label="Results" className="palette-list">
        {sections.map(({ head, entries: lines }) => (
          <div key={head} role="group" aria-labelledby={`${id} ${head}`.replaceAll(' ', '-')}>
            <p id={`${id} ${head}`.replaceAll(' ', '-')} className="palette-head" role="presentation">
              {head}
            </p>
            {lines.map((entry) => (
              <div
                key={entry.id}
                id={optionId(id, entry)}
                role="option"
                tabIndex={-1}
                aria-selected={entry === chosen}
                className="palette-entry"
                onClick={() => take(entry)}
                onKeyDown={press}
                onPointerMove={() => setPlace(entries.indexOf(entry))}
              >
                <Entry entry={entry} />
              </div>
            ))}
          </div>
        ))}
        {entries.length === 0 && (
          <div
            role="option"
            aria-disabled="true"
            aria-selected="false"
            className="palette-none"
            tabIndex={-1}
          >
            Nothing matches
          </div>
        )}
      </div>
      <p className="palette-foot note">
        <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>⏎</kbd> open · <kbd>{'>'}</kbd> commands only · <kbd>Esc</kbd>{' '}
        close
      </p>
    </dialog>
  );
}

function Entry({ entry }: { readonly entry: PaletteEntry }): ReactNode {
  const { overview } = useConsole();
  const { prompts } = useOverview(overview);
  if (entry.kind === 'command') {
    return (
      <>
        <span className="palette-words">{entry.command.words}</span>
        {entry.command.keys !== undefined && <kbd>{entry.command.keys}</kbd>}
      </>
    );
  }
  if (entry.kind === 'prompt') {
    return (
      <>
        <MarkView mark={{ symbol: '?', word: promptKind(entry.prompt), tone: 'ask' }} />
        <span className="palette-words">{entry.words}</span>
        <Age at={entry.prompt.createdAt} />
      </>
    );
  }
  return (
    <>
      <ThreadMark thread={entry.thread} prompt={askedIn(entry.thread, prompts)} />
      <span className="palette-words">
        {entry.words}
        {entry.excerpt !== '' && <span className="note"> {entry.excerpt}</span>}
      </span>
      <span className="note">{shortPlace(entry.thread.workspace)}</span>
      <Age at={since(entry.thread)} />
    </>
  );
}

function optionId(list: string, entry: PaletteEntry): string {
  return `${list}-${entry.kind}-${entry.id}`.replaceAll(' ', '-');
}
