import { type ReactNode, useEffect, useState } from 'react';
import { plainLine } from '../../domain/plain-text.js';
import type { Prompt } from '../../protocol/prompt.js';
import { useOutside } from '../outside.js';

const words = {
  default: 'Notify me when an agent asks',
  granted: 'You are notified when an agent asks',
  denied: 'This browser refuses notifications',
} as const satisfies Record<NotificationPermission, string>;

/** Asks the browser once whether it may notify; from then on it does, while nobody looks at the console. */
export function NotifyButton(): ReactNode {
  const { overview, navigation } = useOutside();
  const [permission, setPermission] = useState(permissionNow);

  useEffect(() => {
    if (permission !== 'granted') return undefined;
    return overview.onAsked((prompt) => {
      if (document.visibilityState === 'visible' && document.hasFocus()) return;
      const title = overview.overview.threads.get(prompt.threadId)?.title ?? '';
      const note = new Notification(plainLine(`${whatOf(prompt)}: ${title}`), {
        body: bodyOf(prompt),
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
      <span aria-hidden="true">{permission === 'granted' ? '◉' : '○'}</span>
    </button>
  );
}

function whatOf({ kind }: Prompt): string {
  return kind === 'approval' ? 'Approval' : 'Question';
}

function bodyOf({ questions }: Prompt): string {
  if (questions.some(({ isSecret }) => isSecret)) return 'A secret is asked for.';
  return questions.map(({ question }) => plainLine(question)).join('\n');
}

/** Undefined where the browser knows no notifications, as on an address without TLS. */
function permissionNow(): NotificationPermission | undefined {
  return 'Notification' in globalThis ? Notification.permission : undefined;
}
