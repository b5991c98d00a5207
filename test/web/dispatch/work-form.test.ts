import { expect, test } from 'vitest';
import { requestOf } from '../../../src/web/dispatch/work-form.js';
import { isContained, usualChoices, type WorkForm } from '../../../src/web/dispatch/work-words.js';

const form: WorkForm = { ...usualChoices, text: 'Build it.', folder: '/home/ada/project' };
const usual = { isRule: false, engine: 'docker', memory: '4g', hosts: ['registry.example'] } as const;
const settings = { ...usual, hosts: [...usual.hosts] };

test('work is given to a container with the limits of the settings, of the image for its runtime or of another one', () => {
  const limits = { engine: 'docker', memory: '4g', hosts: ['registry.example'] };
  expect(requestOf({ ...form, container: true }, settings)).toMatchObject({
    posture: { permissionMode: 'default', container: { ...limits, image: 'handraise-claude' } },
  });
  expect(requestOf({ ...form, container: true, image: ' mine:1 ' }, settings)).toMatchObject({
    posture: { container: { ...limits, image: 'mine:1' } },
  });
  expect(requestOf({ ...form, container: true, image: '--privileged' }, settings)).toEqual({
    missing: 'An image is a name such as handraise-claude or registry.example/agent:1.',
  });
});

test('the settings decide where nobody has chosen', () => {
  expect(requestOf(form, settings)).toMatchObject({ posture: { permissionMode: 'default' } });
  expect(requestOf(form, settings)).not.toHaveProperty('posture.container');
  expect(requestOf(form, { ...settings, isRule: true })).toHaveProperty('posture.container');
  expect(isContained({ container: false }, { ...settings, isRule: true })).toBe(false);
});
