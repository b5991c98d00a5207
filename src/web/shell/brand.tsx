import type { ReactNode } from 'react';

/** The name with its sign. */
export function Brand(): ReactNode {
  return (
    <span className="brand">
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="brand-ground" />
        <path d="M11 16v-5M15 15V7.5M19 15V8M23 16v-5M9.5 20 7 16.5" className="brand-fingers" />
        <path d="M9.7 15h14.6v4.5a7.3 7.3 0 0 1-14.6 0z" className="brand-palm" />
      </svg>
      <span className="brand-words">Handraise</span>
    </span>
  );
}
