import * as z from 'zod';
import { given } from '../../protocol/given.js';
import { RuleId } from '../../protocol/id.js';
import { Rule, RuleName, RuleRequest, RuleState, SwitchRuleRequest } from '../../protocol/rule.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, listQuery, optionalBody, route } from '../api-routes.js';

const tags: [string] = ['rules'];
const params = z.object({ id: RuleId.describe('The version of a rule.') });

/** What answers in place of a person; only a person makes, sees and withdraws it. */
export const rules = new ApiRoutes();

rules.openapi(
  route({
    method: 'post',
    path: '/',
    tags,
    operationId: 'createRule',
    summary: 'Make a rule from answers',
    description:
      'The rule, or its next version, is made from what a person has answered and tried on what was answered before. It answers nothing until it is switched on. Rules are for questions in the same words, for reading and editing files of the workspace that are not hidden, and for commands that a person has decided about to the letter; anything else is refused.',
    'x-problems': ['conflict'],
    request: { body: body(RuleRequest) },
    responses: { 201: json(Rule, 'The version, with its back-test.') },
  }),
  async (c) => {
    const rule = await c.env.host.rules.create(c.req.valid('json'), actorOf(c.var.identity));
    c.header('location', `/api/v1/rules/${rule.id}`);
    return c.json(rule, 201);
  },
);

rules.openapi(
  route({
    method: 'get',
    path: '/',
    tags,
    operationId: 'listRules',
    summary: 'List rules, every version of each',
    request: {
      query: z.strictObject({
        ...listQuery,
        name: RuleName.optional().describe('Only the versions of this rule.'),
        state: RuleState.optional().describe('Only those in this state.'),
      }),
    },
    responses: {
      200: json(z.object({ rules: z.array(Rule), next: z.string().optional() }), 'A page of versions.'),
    },
  }),
  async (c) => {
    const { rows, next } = await c.env.host.rules.list(given(c.req.valid('query')));
    return c.json({ rules: [...rows], ...given({ next }) }, 200);
  },
);

rules.openapi(
  route({
    method: 'get',
    path: '/{id}',
    tags,
    operationId: 'getRule',
    summary: 'Read a version of a rule',
    request: { params },
    responses: { 200: json(Rule, 'The version.') },
  }),
  async (c) => c.json(await c.env.host.rules.get(c.req.valid('param').id), 200),
);

rules.openapi(
  route({
    method: 'post',
    path: '/{id}/on',
    tags,
    operationId: 'switchRuleOn',
    summary: 'Switch a rule on',
    description:
      'It is tried on what was answered before once more. If it differs from that, whoever switches it on has to say how often. Another version of it that is on is withdrawn. It answers prompts that are asked from now on.',
    'x-problems': ['conflict'],
    request: { params, body: optionalBody(SwitchRuleRequest) },
    responses: { 200: json(Rule, 'The version, which answers now.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await c.env.host.rules.switchOn(id, c.req.valid('json'), actorOf(c.var.identity)), 200);
  },
);

rules.openapi(
  route({
    method: 'post',
    path: '/{id}/withdraw',
    tags,
    operationId: 'withdrawRule',
    summary: 'Withdraw a rule',
    description:
      'It answers nothing more from the moment this returns, in no worker. What it has answered stays.',
    request: { params },
    responses: { 200: json(Rule, 'The version, which is withdrawn for good.') },
  }),
  async (c) => c.json(await c.env.host.rules.withdraw(c.req.valid('param').id, actorOf(c.var.identity)), 200),
);
