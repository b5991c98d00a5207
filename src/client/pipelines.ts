import * as z from 'zod';
import type { PipelineId } from '../protocol/id.js';
import { Pipeline, PipelineDetail, type PipelineRequest } from '../protocol/pipeline.js';
import type { ApiConnection } from './connection.js';
import { next, type PageQuery } from './page.js';

const PipelinePage = z.object({ pipelines: z.array(Pipeline), next });

/** Work in phases. */
export class PipelineClient {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  /** Runs it; a run of the same file in the same workspace that has not ended comes back in its place. */
  run(request: PipelineRequest): Promise<PipelineDetail> {
    return this.#connection.call(PipelineDetail, '/pipelines', { method: 'POST', body: request });
  }

  /** Newest first. */
  list(
    query: PageQuery & { readonly open?: true; readonly idPrefix?: string; readonly idSuffix?: string } = {},
  ): Promise<z.infer<typeof PipelinePage>> {
    return this.#connection.call(PipelinePage, '/pipelines', { query: { ...query } });
  }

  get(id: PipelineId): Promise<PipelineDetail> {
    return this.#connection.call(PipelineDetail, `/pipelines/${id}`);
  }

  cancel(id: PipelineId): Promise<PipelineDetail> {
    return this.#connection.call(PipelineDetail, `/pipelines/${id}/cancel`, { method: 'POST' });
  }
}
