import { bodyLimit } from 'hono/body-limit';
import { Failure } from '../protocol/failure.js';
import { authenticate, checkBodyType, openPaths } from './access.js';
import { ApiRoutes, routingPath } from './api-routes.js';
import { HttpFailure } from './problem.js';
import { cleanup } from './routes/cleanup.js';
import { comments } from './routes/comments.js';
import { consoleSettings } from './routes/console-settings.js';
import { dispatches } from './routes/dispatches.js';
import { events } from './routes/events.js';
import { grants } from './routes/grants.js';
import { health } from './routes/health.js';
import { identity } from './routes/identity.js';
import { landings } from './routes/landings.js';
import { login } from './routes/login.js';
import { metrics } from './routes/metrics.js';
import { observed } from './routes/observed.js';
import { openapi } from './routes/openapi.js';
import { overview } from './routes/overview.js';
import { pipelines } from './routes/pipelines.js';
import { projectCode } from './routes/project-code.js';
import { prompts } from './routes/prompts.js';
import { proof } from './routes/proof.js';
import { push } from './routes/push.js';
import { rules } from './routes/rules.js';
import { runtimes } from './routes/runtimes.js';
import { schedules } from './routes/schedules.js';
import { shutdown } from './routes/shutdown.js';
import { status } from './routes/status.js';
import { terminals } from './routes/terminals.js';
import { threadAgent } from './routes/thread-agent.js';
import { threadControls } from './routes/thread-controls.js';
import { threads } from './routes/threads.js';
import { usage } from './routes/usage.js';
import { workers } from './routes/workers.js';

const mebibyte = 1024 * 1024;
const mostBytes = mebibyte;
/** Where anybody may send something: a code, a nonce. */
const mostBytesOfStrangers = 4096;
/** Where attachments may come along. */
const mostBytesWithAttachments = 32 * mebibyte;
const attachmentPaths = /^\/api\/v1\/(dispatches|schedules|threads\/import|threads\/[^/]+\/items)\/?$/;

/** Every route of `/api/v1`, each behind the same doors: who asks, what kind of body, how large. */
export const api = new ApiRoutes();

const strangersBody = limitedTo(mostBytesOfStrangers);
const smallBody = limitedTo(mostBytes);
const largeBody = limitedTo(mostBytesWithAttachments);
api.use(authenticate, checkBodyType);
api.use((c, next) => {
  if (openPaths.has(c.req.path)) return strangersBody(c, next);
  return (attachmentPaths.test(c.req.path) ? largeBody : smallBody)(c, next);
});
api.use((c, next) => {
  c.env.outgoing.setHeader('cache-control', 'no-store');
  return next();
});

api.include('/dispatches', dispatches);
api.include('/threads', threads);
api.include('/threads', threadControls);
api.include('/threads', threadAgent);
api.include('/threads', landings);
api.include('/threads', comments);
api.include('/threads', events);
api.include('/threads', grants);
api.include('/prompts', prompts);
api.include('/schedules', schedules);
api.include('/pipelines', pipelines);
api.include('/rules', rules);
api.include('/push', push);
api.include('/status', status);
api.include('/overview', overview);
api.include('/observed', observed);
api.include('/usage', usage);
api.include('/workers', workers);
api.include('/runtimes', runtimes);
api.include('/project-code', projectCode);
api.include('/', terminals);
api.include('/', cleanup);
api.include('/', login);
api.include('/', shutdown);
api.include('/', consoleSettings);
api.include('/', identity);
api.include('/', health);
api.include('/', metrics);
api.include('/', proof);
api.include('/', openapi);

refuseOtherMethods(api);
api.all('*', () => {
  throw new Failure('not_found', 'This route does not exist. /api/v1/openapi.json lists all routes.');
});

function limitedTo(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new Failure('too_large', `The body is larger than ${sizeWords(maxSize)}.`);
    },
  });
}

function sizeWords(bytes: number): string {
  return bytes < mebibyte ? `${bytes / 1024} KiB` : `${bytes / mebibyte} MiB`;
}

/** A path that exists answers every other method with 405, not with "no such thing". */
function refuseOtherMethods(routes: ApiRoutes): void {
  const methods = new Map<string, string[]>();
  for (const operation of routes.operations) {
    const path = routingPath(operation.path).replace(/(.)\/$/, '$1');
    methods.set(path, [...(methods.get(path) ?? []), operation.method.toUpperCase()]);
  }
  for (const [path, known] of methods) {
    const allow = known.includes('GET') ? [...known, 'HEAD'] : known;
    routes.all(path, () => {
      throw new HttpFailure('invalid', `This path allows only ${allow.join(', ')}.`, {
        status: 405,
        headers: { allow: allow.join(', ') },
      });
    });
  }
}
