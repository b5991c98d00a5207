import type { ReactNode } from 'react';

export default function InboxPage(_props: Record<string, unknown>): ReactNode {
  return <p className="empty">Soon.</p>;
}
