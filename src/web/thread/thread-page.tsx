import type { ReactNode } from 'react';

export default function ThreadPage(_props: Record<string, unknown>): ReactNode {
  return <p className="empty">Soon.</p>;
}
