import { PromptId, ThreadId } from '../protocol/id.js';

/** Where in the console a person is. */
export type Place =
  | { readonly page: 'home' }
  | { readonly page: 'inbox'; readonly promptId?: PromptId }
  | { readonly page: 'thread'; readonly threadId: ThreadId }
  | { readonly page: 'schedules' }
  | { readonly page: 'pipelines' }
  | { readonly page: 'fleet' }
  | { readonly page: 'settings' }
  | { readonly page: 'nowhere' };

/** The place that a path names. */
export function placeOf(path: string): Place {
  const [first = '', second] = path.split('/').filter((part) => part !== '');
  if (second === undefined) {
    if (first === '') return { page: 'home' };
    if (first === 'inbox' || first === 'schedules' || first === 'pipelines' || first === 'fleet')
      return { page: first };
    if (first === 'settings') return { page: first };
  }
  if (first === 'prompts') {
    const promptId = PromptId.safeParse(second).data;
    if (promptId !== undefined) return { page: 'inbox', promptId };
  }
  if (first === 'threads') {
    const threadId = ThreadId.safeParse(second).data;
    if (threadId !== undefined) return { page: 'thread', threadId };
  }
  return { page: 'nowhere' };
}

export function pathOf(place: Place): string {
  switch (place.page) {
    case 'home':
    case 'nowhere':
      return '/';
    case 'inbox':
      return place.promptId === undefined ? '/inbox' : `/prompts/${place.promptId}`;
    case 'thread':
      return `/threads/${place.threadId}`;
    case 'schedules':
    case 'pipelines':
    case 'fleet':
    case 'settings':
      return `/${place.page}`;
    default:
      return place satisfies never;
  }
}

/** The code in a login link; whoever pastes the code alone has one, too. */
export function codeOf(link: string): string {
  const text = link.trim();
  return sentLinkOf(text.slice(text.indexOf('#'))).code ?? text;
}

/** What stands after the # of a link that was sent: a code to sign in with, or what the link is about. */
export function sentLinkOf(hash: string): { readonly code?: string; readonly place?: Place } {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const code = fields.get('login');
  const promptId = PromptId.safeParse(fields.get('prompt')).data;
  const threadId = ThreadId.safeParse(fields.get('thread')).data;
  return {
    ...(code === null ? {} : { code }),
    ...(promptId === undefined ? {} : { place: { page: 'inbox', promptId } }),
    ...(threadId === undefined ? {} : { place: { page: 'thread', threadId } }),
  };
}
