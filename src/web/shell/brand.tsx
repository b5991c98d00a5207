import type { ReactNode } from 'react';

/** The name with its sign. */
export function Brand(): ReactNode {
  return (
    <span className="brand">
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="brand-ground" />
        <path d="M10 24v-6M16 24V7M22 24v-9" className="brand-hands" />
      </svg>
      Handraise
    </span>
  );
}
