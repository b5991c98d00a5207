import './disclosure.css';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

export interface DisclosureProps {
  /** What the button says to those who do not see its sign. */
  readonly label: string;
  readonly sign?: ReactNode;
  readonly children: ReactNode;
  /** Everything in it is short and has its end at the button's right side. */
  readonly side?: 'left' | 'right';
}

/** A button that opens a small panel below it. Escape, a press outside and going elsewhere with Tab close it. */
export function Disclosure({
  label,
  sign = <Ellipsis size={17} />,
  children,
  side = 'right',
}: DisclosureProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !whole.current?.contains(target)) setOpen(false);
    };
    const press = (event: KeyboardEvent) => {
      // A dialog that was opened from here has its own way out.
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(false);
      button.current?.focus();
    };
    addEventListener('pointerdown', leave);
    addEventListener('focusin', leave);
    addEventListener('keydown', press, { capture: true });
    return () => {
      removeEventListener('pointerdown', leave);
      removeEventListener('focusin', leave);
      removeEventListener('keydown', press, { capture: true });
    };
  }, [isOpen]);
  return (
    <div ref={whole} className="disclosure">
      <button
        ref={button}
        type="button"
        className={sign === label ? 'disclosure-button' : 'icon-button'}
        aria-label={label}
        title={sign === label ? undefined : label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">{sign}</span>
      </button>
      {isOpen && (
        <div id={id} role="group" aria-label={label} className={`disclosure-panel is-${side}`}>
          {children}
        </div>
      )}
    </div>
  );
}
