import { type ReactNode, useMemo } from 'react';
import { qrModules } from '../../live/qr-code.js';

/** A text as a picture that a phone can scan: black on white in both themes. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const modules = useMemo(() => qrModules(text), [text]);
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
