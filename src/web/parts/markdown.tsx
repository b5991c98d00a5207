import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { plainText } from '../../domain/words/plain-text.js';
import { isWithinMarkdownLimit } from './markdown-limit.js';

const plugins = [remarkGfm];

/** An agent's Markdown. It is hostile: HTML stays text, a link leads to the web or nowhere, and a picture is never fetched. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  const plain = plainText(text);
  return (
    <div className="markdown">
      {isWithinMarkdownLimit(plain) ? (
        <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={safeUrl}>
          {plain}
        </ReactMarkdown>
      ) : (
        <pre tabIndex={0}>{plain}</pre>
      )}
    </div>
  );
});

const components: Components = {
  a: ({ href, children }) => (href ? <OutLink href={href}>{children}</OutLink> : <span>{children}</span>),
  // Fetching it would tell its owner who reads what.
  img: ({ src, alt }) => {
    const words = `[picture: ${alt || 'without words'}]`;
    return typeof src === 'string' && src !== '' ? (
      <OutLink href={src}>{words}</OutLink>
    ) : (
      <span>{words}</span>
    );
  },
  // Headings of an agent are not headings of the page.
  h1: ({ children }) => <p className="markdown-head">{children}</p>,
  h2: ({ children }) => <p className="markdown-head">{children}</p>,
  h3: ({ children }) => <p className="markdown-head">{children}</p>,
  h4: ({ children }) => <p className="markdown-head">{children}</p>,
  h5: ({ children }) => <p className="markdown-head">{children}</p>,
  h6: ({ children }) => <p className="markdown-head">{children}</p>,
  input: ({ checked }) => <span>{checked ? '☑ ' : '☐ '}</span>,
  // A table or a block that is too wide scrolls, and what scrolls must be reachable without a mouse.
  table: ({ children }) => (
    <div className="table-scroller" tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
};

function OutLink({ href, children }: { readonly href: string; readonly children: ReactNode }): ReactNode {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  );
}

/** Only what opens in a browser and runs nothing; a relative address would lead into the console. */
function safeUrl(url: string): string {
  return /^(https?:\/\/|mailto:)/i.test(url) ? url : '';
}
