/** As much of `fetch` as a client needs. That of browsers and of Node fits; a program that starts often has a lighter one. */
export type WorkerFetch = (address: URL, request: WorkerRequest) => Promise<WorkerResponse>;

export interface WorkerRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface WorkerResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly body: { getReader(): ChunkReader } | null;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

export interface ChunkReader {
  /** The next bytes; none at the end. */
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}
