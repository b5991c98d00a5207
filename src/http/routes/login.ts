import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { LoginLink, LoginRequest, SignedIn } from '../../protocol/api.js';
import { Failure } from '../../protocol/failure.js';
import { personOnly, refuseAgents, wrongCredential } from '../access.js';
import { body, json, newRoutes, route } from '../api-routes.js';
import { sessionCookie } from '../sessions.js';

const tags: [string] = ['login'];

/** How a browser signs in: with a link that works once. */
export const login = newRoutes();

login.openapi(
  route({
    method: 'post',
    path: '/login-links',
    tags,
    operationId: 'createLoginLink',
    summary: 'Make a link that signs a browser in, once, within ten minutes',
    description: 'Only with a token: a signed-in browser cannot sign in others.',
    middleware: personOnly,
    security: [{ token: [] }],
    responses: { 201: json(LoginLink, 'The link; its code is after the #, which no server sees.') },
  }),
  (c) => {
    if (c.req.header('authorization') === undefined) {
      throw new Failure('forbidden', 'A login link is made with a token, not with a cookie.');
    }
    return c.json({ url: `${c.env.url}/#login=${c.env.loginCodes.issue(c.var.identity)}` }, 201);
  },
);

login.openapi(
  route({
    method: 'post',
    path: '/login',
    tags,
    operationId: 'login',
    summary: 'Sign this browser in with the code of a link',
    security: [],
    'x-problems': ['unauthorized', 'forbidden'],
    request: { body: body(LoginRequest) },
    responses: { 200: json(SignedIn, 'Signed in: the session is in a cookie.') },
  }),
  async (c) => {
    await refuseAgents(c);
    const { loginCodes, sessions, tokens, incoming } = c.env;
    const identity = loginCodes.redeem(c.req.valid('json').code);
    if (!identity || !tokens.holds(identity)) {
      throw wrongCredential(c, 'This login link was used already, or is too old. Make a new one.');
    }
    setCookie(c, sessionCookie, sessions.open(identity), {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      secure: incoming.headers.origin?.startsWith('https://') === true,
    });
    return c.json({ name: identity.name }, 200);
  },
);

login.openapi(
  route({
    method: 'post',
    path: '/logout',
    tags,
    operationId: 'logout',
    summary: 'End the session of this browser',
    responses: { 204: { description: 'Signed out.' } },
  }),
  (c) => {
    const secret = getCookie(c, sessionCookie);
    if (secret !== undefined) c.env.sessions.close(secret);
    deleteCookie(c, sessionCookie, { path: '/' });
    return c.body(null, 204);
  },
);
