import { Component, type ReactNode } from 'react';

/** Stands around what may fail, so that one broken part does not take the whole console along. */
export class BrokenPart extends Component<
  {
    readonly children: ReactNode;
    /** What stands in its place, where that is less than a sentence about it. */
    readonly instead?: ReactNode;
  },
  { readonly error: unknown; readonly isBroken: boolean }
> {
  override state = { error: undefined, isBroken: false };

  static getDerivedStateFromError(error: unknown) {
    return { error, isBroken: true };
  }

  override render(): ReactNode {
    const { error, isBroken } = this.state;
    if (!isBroken) return this.props.children;
    if (this.props.instead !== undefined) return this.props.instead;
    return (
      <div className="empty" role="alert">
        <p>This part of the console cannot be shown. Reload the page; what you typed is kept.</p>
        <p>
          <button type="button" onClick={() => location.reload()}>
            Reload the page
          </button>
        </p>
        <details>
          <summary>What went wrong</summary>
          <pre>{String(error)}</pre>
        </details>
      </div>
    );
  }
}
