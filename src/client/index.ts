export { ApiFailure } from './api-failure.js';
export { Client, type EventOptions } from './client.js';
export type { ClientOptions, WorkerAddress } from './connection.js';
export type { DispatchQuery } from './dispatches.js';
export type { PromptQuery } from './prompts.js';
export type { StreamOptions } from './reconnect.js';
export { type Fact, type FollowedEvent, factOf } from './thread-event.js';
