import * as z from 'zod';

// What a running agent says about itself, in the same words for every runtime.

/** A model that the agent of a thread can use. */
export const AgentModel = z.object({
  id: z.string().describe('What the model is chosen by.'),
  name: z.string().optional(),
  description: z.string().optional(),
});
export type AgentModel = z.infer<typeof AgentModel>;

/** A command that can be typed in a message, such as /compact. */
export const AgentCommand = z.object({ name: z.string(), description: z.string().optional() });
export type AgentCommand = z.infer<typeof AgentCommand>;

/** An MCP server of the agent. */
export const AgentServer = z.object({
  name: z.string(),
  status: z.string().optional().describe("As the runtime calls it, such as 'connected' or 'failed'."),
  error: z.string().optional(),
});
export type AgentServer = z.infer<typeof AgentServer>;

/** Who pays for the agent, as far as it says so. */
export const AgentAccount = z.object({
  email: z.string().optional(),
  organization: z.string().optional(),
  plan: z.string().optional(),
  login: z.string().optional().describe('What it is signed in with, as the runtime calls it.'),
});
export type AgentAccount = z.infer<typeof AgentAccount>;
