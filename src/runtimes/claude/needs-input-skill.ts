import { needsInputPath, needsInputSkillPath } from '../../protocol/needs-input.js';
import type { Lesson } from '../needs-input-helper.js';

const when =
  'Use when the work cannot go on without an answer, a decision or a credential that only a person has, and AskUserQuestion is not available or the answer may take hours.';

const how = `# Ask a person and stop

1. Bring the work into a state in which it can wait: save files, end what runs.
2. Write \`${needsInputPath}\` in the folder that you work in, with the Write tool. That is allowed in every
   permission mode. It holds one JSON object:

   \`\`\`json
   {
     "question": "Which database should the service use?",
     "options": ["PostgreSQL", "SQLite"],
     "context": "Both drivers are installed; the tests need one of them.",
     "partial_state": { "step": 3, "done": ["schema", "routes"] }
   }
   \`\`\`

   Only \`question\` is required. \`options\` is a list of strings to choose from. \`context\` is shown with the question.
   \`partial_state\` is any JSON of at most 1 MiB; it comes back unchanged with the answer.
3. End your turn at once. Do not guess, do not wait, and do not write the file again.

The next message holds your question, its \`answer\` and your \`partial_state\`. Go on from there.
`;

/** Teaches Claude Code to leave a question in a file when it cannot wait for the answer. */
export const needsInputSkill: Lesson = {
  path: needsInputSkillPath,
  text: `---
name: agora-needs-input
description: ${when} Leaves the question in a file, stops, and goes on later with the answer.
---

${how}`,
};

/** The same lesson for an agent that reads no skills of its workspace. */
export const needsInputLesson: string = `${how}\n${when}`;
