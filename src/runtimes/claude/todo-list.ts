import * as z from 'zod';
import type { EventBody } from '../../protocol/event.js';
import { given } from '../../protocol/given.js';

type Todo = EventBody<'todo_update'>['todos'][number];

const todoWrite = z.object({
  todos: z.array(
    z.looseObject({ content: z.string(), status: z.string(), activeForm: z.string().optional() }),
  ),
});
const created = z.looseObject({
  task: z.looseObject({ id: z.string(), subject: z.string(), activeForm: z.string().optional() }),
});
const updated = z.looseObject({
  taskId: z.string(),
  status: z.string().optional(),
  subject: z.string().optional(),
  activeForm: z.string().optional(),
});

/** The agent's to-do list, kept from TodoWrite (older models) and from the Task tools (newer ones). */
export class TodoList {
  #todos: Todo[] = [];

  /** The list after this tool call, or null when the call did not touch it. */
  afterTool(call: {
    readonly tool: string;
    readonly input: unknown;
    readonly result: unknown;
  }): Todo[] | null {
    switch (call.tool) {
      case 'TodoWrite':
        return this.#replace(call.input);
      case 'TaskCreate':
        return this.#create(call.input, call.result);
      case 'TaskUpdate':
        return this.#update(call.input);
      default:
        return null;
    }
  }

  #replace(input: unknown): Todo[] | null {
    const parsed = todoWrite.safeParse(input);
    if (!parsed.success) return null;
    this.#todos = parsed.data.todos.map(({ content, status, activeForm }) => ({
      content,
      status,
      ...given({ activeForm }),
    }));
    return this.#copy();
  }

  #create(input: unknown, result: unknown): Todo[] | null {
    const parsed = created.safeParse(result);
    if (!parsed.success) return null;
    const { id, subject } = parsed.data.task;
    const activeForm = z.looseObject({ activeForm: z.string() }).safeParse(input);
    this.#todos.push({
      id,
      content: subject,
      status: 'pending',
      ...(activeForm.success ? { activeForm: activeForm.data.activeForm } : {}),
    });
    return this.#copy();
  }

  #update(input: unknown): Todo[] | null {
    const parsed = updated.safeParse(input);
    if (!parsed.success) return null;
    const { taskId, status, subject, activeForm } = parsed.data;
    if (status === 'deleted') this.#todos = this.#todos.filter((todo) => todo.id !== taskId);
    const todo = this.#todos.find((one) => one.id === taskId);
    if (todo) {
      if (status !== undefined) todo.status = status;
      if (subject !== undefined) todo.content = subject;
      if (activeForm !== undefined) todo.activeForm = activeForm;
    }
    return this.#copy();
  }

  #copy(): Todo[] {
    return this.#todos.map((todo) => ({ ...todo }));
  }
}
