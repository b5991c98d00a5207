import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';

const NewRequest = z.strictObject({
  source_branch: z.string(),
  target_branch: z.string(),
  target_project_id: z.int(),
  title: z.string(),
  description: z.string(),
});

/** As much of GitLab's API as `glab` is asked for; glab's own settings say that it is on a port of this machine. */
export class GitlabService implements AsyncDisposable {
  readonly requests: (z.infer<typeof NewRequest> & {
    readonly web_url: string;
    source_project_id: number;
  })[] = [];
  refuses: string | readonly string[] | undefined;
  isFork = false;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens, and signs the user of a home in to it. */
  static async open(home: string): Promise<GitlabService> {
    const server = createServer();
    const service = new GitlabService(server);
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += String(part);
      const { status, json } = service.#answer(request.method ?? '', request.url ?? '', body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    };
    server.on('request', (request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const settings = join(home, '.config/glab-cli');
    mkdirSync(settings, { recursive: true });
    writeFileSync(
      join(settings, 'config.yml'),
      `hosts:\n  gitlab.com:\n    api_protocol: http\n    api_host: 127.0.0.1:${port}\n    token: glpat-scripted\n    user: ada\n`,
      { mode: 0o600 },
    );
    return service;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(method: string, url: string, body: string): { status: number; json: unknown } {
    const { pathname, searchParams } = new URL(url, 'http://gitlab');
    if (pathname === '/api/v4/user') return { status: 200, json: { id: 1, username: 'ada' } };
    if (pathname === '/api/v4/projects/ada%2Fengine')
      return { status: 200, json: { id: 5, forked_from_project: this.isFork ? { id: 4 } : undefined } };
    if (method === 'POST' && pathname === '/api/v4/projects/ada%2Fengine/merge_requests') {
      if (this.refuses !== undefined) return { status: 409, json: { message: this.refuses } };
      const made = NewRequest.parse(JSON.parse(body));
      const place = made.target_project_id === 4 ? 'grace/engine' : 'ada/engine';
      const web_url = `https://gitlab.com/${place}/-/merge_requests/${this.requests.length + 1}`;
      this.requests.push({ ...made, web_url, source_project_id: 5 });
      return { status: 201, json: this.requests.at(-1) };
    }
    const [, target] = /^\/api\/v4\/projects\/(\d+)\/merge_requests$/.exec(pathname) ?? [];
    const branch = searchParams.get('source_branch');
    return target === undefined
      ? { status: 404, json: { message: '404 Not Found' } }
      : {
          status: 200,
          json: this.requests.filter(
            (each) => String(each.target_project_id) === target && each.source_branch === branch,
          ),
        };
  }
}
