import { bodyLimit } from 'hono/body-limit';
import { Failure } from '../protocol/failure.js';
import { authenticate, checkBodyType } from './access.js';
import { type ApiRoutes, newRoutes } from './api-routes.js';
import { HttpFailure } from './problem.js';
import { dispatches } from './routes/dispatches.js';
import { events } from './routes/events.js';
import { health } from './routes/health.js';
import { login } from './routes/login.js';
import { openapi } from './routes/openapi.js';
import { overview } from './routes/overview.js';
import { projectCode } from './routes/project-code.js';
import { prompts } from './routes/prompts.js';
import { runtimes } from './routes/runtimes.js';
import { shutdown } from './routes/shutdown.js';
import { status } from './routes/status.js';
import { threadControls } from './routes/thread-controls.js';
import { threads } from './routes/threads.js';
import { usage } from './routes/usage.js';
import { workers } from './routes/workers.js';

const mebibyte = 1024 * 1024;
const mostBytes = mebibyte;
/** Where attachments may come along. */
const mostBytesWithAttachments = 32 * mebibyte;
const attachmentPaths = /^\/api\/v1\/(dispatches|threads\/[^/]+\/items)\/?$/;

/** Every route of `/api/v1`, each behind the same doors: who asks, what kind of body, how large. */
export const api = newRoutes();

const smallBody = limitedTo(mostBytes);
const largeBody = limitedTo(mostBytesWithAttachments);
api.use(authenticate, checkBodyType);
api.use((c, next) => (attachmentPaths.test(c.req.path) ? largeBody : smallBody)(c, next));
api.use((c, next) => {
  c.env.outgoing.setHeader('cache-control', 'no-store');
  return next();
});

api.route('/dispatches', dispatches);
api.route('/threads', threads);
api.route('/threads', threadControls);
api.route('/threads', events);
api.route('/prompts', prompts);
api.route('/status', status);
api.route('/overview', overview);
api.route('/usage', usage);
api.route('/workers', workers);
api.route('/runtimes', runtimes);
api.route('/project-code', projectCode);
api.route('/', login);
api.route('/', shutdown);
api.route('/', health);
api.route('/', openapi);

refuseOtherMethods(api);
api.all('*', () => {
  throw new Failure('not_found', 'There is no such route; /api/v1/openapi.json lists them.');
});

function limitedTo(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new Failure('too_large', `The body is larger than ${maxSize / mebibyte} MiB.`);
    },
  });
}

/** A path that exists answers every other method with 405, not with "no such thing". */
function refuseOtherMethods(routes: ApiRoutes): void {
  const methods = new Map<string, string[]>();
  for (const definition of routes.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue;
    const path = definition.route.path.replaceAll(/\{(.+?)\}/g, ':$1').replace(/(.)\/$/, '$1');
    methods.set(path, [...(methods.get(path) ?? []), definition.route.method.toUpperCase()]);
  }
  for (const [path, known] of methods) {
    const allow = known.includes('GET') ? [...known, 'HEAD'] : known;
    routes.all(path, () => {
      throw new HttpFailure('invalid', `This path knows ${allow.join(', ')} only.`, {
        status: 405,
        headers: { allow: allow.join(', ') },
      });
    });
  }
}
