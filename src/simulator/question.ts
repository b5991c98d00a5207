import type { ModelConversation } from './conversation.js';
import type { AskBlock } from './reply.js';

interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** How each agent's own tool for asking the person takes a question. */
const questionTools: Record<string, (block: AskBlock) => Record<string, unknown>> = {
  AskUserQuestion: (block) => ({ multiSelect: block.multiple }),
  request_user_input: () => ({ id: 'q1' }),
  question: (block) => ({ multiple: block.multiple }),
  ask_user: (block) => ({ type: 'choice', multiSelect: block.multiple }),
};

/** The tool call by which the agent behind this conversation would ask. */
export function questionCall(
  block: AskBlock,
  { conversation, questionTool }: { conversation: ModelConversation; questionTool: string },
): Call {
  const name = conversation.tools.find((tool) => tool.name in questionTools)?.name ?? questionTool;
  const question = {
    question: block.ask,
    header: block.header,
    options: block.options.map((label) => ({ label, description: label })),
    ...questionTools[name]?.(block),
  };
  return { name, input: { questions: [question] } };
}
