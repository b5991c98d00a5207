import { LoginLink, LoginRequest, SignedIn } from '../../protocol/api.js';
import { Failure } from '../../protocol/failure.js';
import { refuseAgents, wrongCredential } from '../access.js';
import { ApiRoutes, body, json, route } from '../api-routes.js';

const tags: [string] = ['login'];

/** How a browser signs in: with a link that works once. */
export const login = new ApiRoutes();

login.openapi(
  route({
    method: 'post',
    path: '/login-links',
    tags,
    operationId: 'createLoginLink',
    summary: 'Create a link that signs a browser in, once, within ten minutes',
    description: 'Needs a token: a signed-in browser cannot sign in others.',
    responses: { 201: json(LoginLink, 'The link. Its code stands after the #, which no server sees.') },
  }),
  (c) => {
    if (c.var.session !== undefined) {
      throw new Failure('forbidden', 'Only a token can create a login link, not a signed-in browser.');
    }
    const { url, publicUrl } = c.env;
    const place = `/#login=${c.env.loginCodes.issue(c.var.identity)}`;
    const outside = publicUrl === undefined ? {} : { publicUrl: `${publicUrl.replace(/\/+$/, '')}${place}` };
    return c.json({ url: `${url}${place}`, ...outside }, 201);
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
    responses: { 200: json(SignedIn, 'Signed in. The page sends the secret as its token from now on.') },
  }),
  async (c) => {
    const { loginCodes, sessions, tokens } = c.env;
    const { code } = c.req.valid('json');
    // Who calls is asked only about a code that is good: to find out costs milliseconds, and anybody may try a code.
    if (loginCodes.has(code)) await refuseAgents(c);
    const identity = loginCodes.redeem(code);
    if (!identity || !tokens.holds(identity)) {
      throw wrongCredential(
        c,
        'This login link was already used or has expired. Create a new one with: handraise token link',
      );
    }
    return c.json({ name: identity.name, secret: sessions.open(identity) }, 200);
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
    if (c.var.session !== undefined) c.env.sessions.close(c.var.session);
    return c.body(null, 204);
  },
);
