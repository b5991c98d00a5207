import { needsInputPath, noHelperVariable } from '../protocol/needs-input.js';
import { attachedFile } from './attached-file.js';
import type { Launch, TurnInput } from './runtime.js';

const howToAsk = `If you cannot go on without an answer from a person, do not guess: write the file ${needsInputPath} in the folder that you work in (make its folder where it is missing), then stop. It holds JSON: {"question": "…", "options": ["…"], "context": "…", "partial_state": …}, of which only the question is required. You are started again with the question, its answer and your partial_state.`;

/** All that a process is told for one turn, because it has seen nothing before and can be told nothing else. */
export function wholePrompt({ content, attachments }: TurnInput, { instructions, env }: Launch): string {
  const files = attachments.flatMap((each) => (each.type === 'file' ? [attachedFile(each)] : []));
  const teaching = env[noHelperVariable] === 'true' ? [] : [howToAsk];
  return [...(instructions === undefined ? [] : [instructions]), ...files, content, ...teaching].join('\n\n');
}
