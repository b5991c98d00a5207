import { Bell, BellOff, BellRing, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { agentName } from '../../domain/words/agent-name.js';
import { askWords } from '../../domain/words/ask-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { promptKind } from '../../domain/words/prompt-words.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';

const words = {
  default: 'Notify me when an agent asks',
  granted: 'Notifications are on: you hear when an agent asks',
  denied: 'Notifications are blocked in this browser',
} as const satisfies Record<NotificationPermission, string>;

const icons = { default: Bell, granted: BellRing, denied: BellOff } as const satisfies Record<
  NotificationPermission,
  LucideIcon
>;

/** Asks the browser once whether it may notify; from then on it does, while nobody looks at the console. */
export function NotifyButton(): ReactNode {
  const { overview, navigation } = useConsole();
  const [permission, setPermission] = useState(permissionNow);

  useEffect(() => {
    if (permission !== 'granted') return undefined;
    return overview.onAsked((prompt) => {
      if (document.visibilityState === 'visible' && document.hasFocus()) return;
      const thread = overview.overview.threads.get(prompt.threadId);
      const note = new Notification(plainLine(`${promptKind(prompt)}: ${thread?.title ?? ''}`), {
        body: bodyOf(prompt, thread),
        // The same prompt in several windows is one notification.
        tag: prompt.id,
      });
      note.addEventListener('click', () => {
        focus();
        navigation.go({ page: 'inbox', promptId: prompt.id });
        note.close();
      });
    });
  }, [permission, overview, navigation]);

  if (permission === undefined) return null;
  const Icon = icons[permission];
  const ask = () => void Notification.requestPermission().then(setPermission);
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={words[permission]}
      title={words[permission]}
      aria-pressed={permission === 'granted'}
      disabled={permission === 'denied'}
      onClick={ask}
    >
      <Icon size={17} />
    </button>
  );
}

function bodyOf(prompt: Prompt, thread: Thread | undefined): string {
  const { kind, questions } = prompt;
  if (questions.some(({ isSecret }) => isSecret)) return `${agentName(thread?.runtime)} asks for a secret.`;
  if (kind === 'approval') return askWords(prompt, thread);
  return questions.map(({ question }) => plainLine(question)).join('\n');
}

/** Undefined where the browser knows no notifications, as on an address without TLS. */
function permissionNow(): NotificationPermission | undefined {
  return 'Notification' in globalThis ? Notification.permission : undefined;
}
