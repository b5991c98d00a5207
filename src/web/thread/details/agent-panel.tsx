import { type ReactNode, useState } from 'react';
import type { Client } from '../../../client/client.js';
import { plainLine } from '../../../domain/words/plain-text.js';
import { errorSentence } from '../../../protocol/error-sentence.js';
import type { ThreadId } from '../../../protocol/id.js';
import type { Thread } from '../../../protocol/thread.js';
import { useConsole } from '../../console-context.js';
import type { Control } from '../../parts/use-control.js';
import { Only } from '../../rights.js';

interface Fact {
  readonly about: string;
  readonly lines: readonly string[];
}

/** What the running agent says about itself, asked when somebody opens it, and how much it may think. */
export function AgentPanel({
  thread,
  control,
}: {
  readonly thread: Thread;
  readonly control: Control;
}): ReactNode {
  const { client } = useConsole();
  const [facts, setFacts] = useState<readonly Fact[]>([]);
  const [tokens, setTokens] = useState('');
  const { id } = thread;
  const budget = /^\d{1,7}$/.test(tokens.trim()) ? Number(tokens.trim()) : undefined;
  return (
    <details
      className="grants"
      onToggle={(event) => {
        if (event.currentTarget.open) void factsOf(client, id).then(setFacts);
      }}
    >
      <summary>About the agent</summary>
      <dl aria-label="About the agent">
        {facts.map(({ about, lines }) => (
          <div key={about}>
            <dt>{about}</dt>
            {lines.map((line) => (
              <dd key={line}>{plainLine(line)}</dd>
            ))}
          </div>
        ))}
      </dl>
      <Only to="dispatch">
        <form
          className="control-field"
          onSubmit={(event) => {
            event.preventDefault();
            if (budget !== undefined) control.act(({ threads }) => threads.setThinkingBudget(id, budget));
          }}
        >
          <input
            aria-label="Thinking budget"
            placeholder="tokens to think, 0 for none"
            inputMode="numeric"
            value={tokens}
            onChange={(event) => setTokens(event.target.value)}
          />
          {budget !== undefined && (
            <button type="submit" disabled={control.isActing}>
              Set thinking budget
            </button>
          )}
        </form>
      </Only>
    </details>
  );
}

/** Each is asked on its own, and says why where the agent cannot tell. */
async function factsOf({ threads }: Client, id: ThreadId): Promise<Fact[]> {
  return await Promise.all([
    ask('Account', async () => Object.values(await threads.account(id)).filter((each) => each !== undefined)),
    ask('MCP servers', async () =>
      (await threads.mcpServers(id)).map(({ name, status, error }) =>
        [name, status, error].filter(Boolean).join(' · '),
      ),
    ),
    ask('Commands', async () =>
      (await threads.commands(id)).map(({ name, description }) =>
        [`/${name}`, description].filter(Boolean).join(' · '),
      ),
    ),
  ]);
}

async function ask(about: string, lines: () => Promise<string[]>): Promise<Fact> {
  try {
    const told = await lines();
    return { about, lines: told.length > 0 ? told : ['none'] };
  } catch (error) {
    return { about, lines: [errorSentence(error)] };
  }
}
