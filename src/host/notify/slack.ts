import type { ChannelConfig } from '../../protocol/channel-config.js';
import { cutText } from '../../protocol/cut-text.js';
import type { Notification } from './notification.js';
import type { OutboundPost } from './outbound-post.js';

// A section takes 3000 characters, the title included.
const sectionLimit = 2400;
const longestEntity = '&amp;'.length;

/** A message for an incoming webhook of Slack, or of what speaks like it. */
export function slackPost(
  { url, allowPrivate }: Extract<ChannelConfig, { type: 'slack' }>,
  { title, text, link }: Notification,
): OutboundPost {
  const words = [`*${escaped(title)}*`, escaped(text)].filter((part) => part !== '').join('\n');
  return {
    url,
    allowPrivate,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      text: words,
      blocks: [section(words), section(`<${escaped(link)}|Open in Handraise>`)],
      unfurl_links: false,
    }),
  };
}

// Verbatim: names and addresses in an agent's words become neither mentions nor links.
function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

/** Text that cannot call `<!channel>`; the three characters are all that Slack wants escaped. */
function escaped(text: string): string {
  const whole = entities(text);
  return whole.length <= sectionLimit ? whole : entities(cutText(text, sectionLimit / longestEntity));
}

function entities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
