import {
  CircleDollarSign,
  CircleQuestionMark,
  CircleX,
  Clock,
  Eye,
  GitMerge,
  Hourglass,
  ListChecks,
  LoaderCircle,
  type LucideIcon,
  ShieldCheck,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Mark } from '../../domain/status/status-mark.js';

/** The ten marks that a row can have; every other one has its symbol. */
const icons: Readonly<Record<string, LucideIcon>> = {
  Question: CircleQuestionMark,
  Approval: ShieldCheck,
  Plan: ListChecks,
  Budget: CircleDollarSign,
  Failed: CircleX,
  Working: LoaderCircle,
  'Ready to review': Eye,
  Landed: GitMerge,
  'Waits for quota': Hourglass,
  Queued: Clock,
};

/** The sign of a mark, for the eye alone: its word stands beside it. */
export function MarkIcon({ mark: { word, symbol } }: { readonly mark: Mark }): ReactNode {
  const Icon = Object.hasOwn(icons, word) ? icons[word] : undefined;
  return (
    <span className={word === 'Working' ? 'mark-symbol is-turning' : 'mark-symbol'} aria-hidden="true">
      {Icon ? <Icon size={13} strokeWidth={2.4} /> : symbol}
    </span>
  );
}
