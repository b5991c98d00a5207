import { join } from 'node:path';
import type { ScriptInput } from '../../compose.js';

const question = 'Which tone should the announcement have?';

const announcements = {
  Friendly: 'Good news! When an agent has a question now, it waits for you. No answer gets lost.\n',
  Formal: 'As of this release, the questions of an agent are held until a person has answered them.\n',
};

/** What the scripted model of the demo says; each reply follows from what the agent's last tool returned. */
export function story(workspace: string): ScriptInput {
  const read = { tool: 'Read', input: { file_path: join(workspace, 'notes.md') } };
  const write = (content: string) => ({
    tool: 'Write',
    input: { file_path: join(workspace, 'announcement.md'), content },
  });
  return {
    replies: [
      { when: { round: 0 }, blocks: [{ text: 'I read the notes first.' }, read] },
      {
        when: { toolResult: '# Release notes' },
        blocks: [{ ask: question, header: 'Tone', options: Object.keys(announcements) }],
      },
      ...Object.entries(announcements).map(([tone, text]) => ({
        when: { toolResult: `="${tone}"` },
        blocks: [{ text: `${tone} it is. I write the announcement.` }, write(text)],
      })),
      {
        when: { toolResult: question },
        blocks: [{ text: 'I take that as formal.' }, write(announcements.Formal)],
      },
      { when: { toolResult: 'created successfully' }, blocks: [{ text: 'announcement.md is written.' }] },
      { blocks: [{ text: 'Understood. I leave the folder as it was.' }] },
    ],
  };
}
