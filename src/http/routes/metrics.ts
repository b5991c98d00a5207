import * as z from 'zod';
import { ApiRoutes, route } from '../api-routes.js';
import { metricsText } from '../metrics-text.js';

/** What a worker counts, for Prometheus. */
export const metrics = new ApiRoutes();

metrics.openapi(
  route({
    method: 'get',
    path: '/metrics',
    tags: ['worker'],
    operationId: 'getMetrics',
    summary: 'Read the metrics of the worker in the text format of Prometheus',
    responses: {
      200: {
        description: 'The metrics.',
        content: { 'text/plain; version=0.0.4': { schema: z.string() } },
      },
    },
  }),
  async (c) => {
    const { user, system } = process.cpuUsage();
    const now = c.env.now();
    const text = metricsText(await c.env.host.watch.look(), {
      version: c.env.version,
      now,
      startedAt: now - process.uptime() * 1000,
      residentBytes: process.memoryUsage.rss(),
      cpuSeconds: (user + system) / 1e6,
    });
    return c.text(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  },
);
