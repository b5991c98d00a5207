import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';

const Call = z.object({
  query: z.string(),
  variables: z
    .looseObject({ headBranch: z.string(), input: z.looseObject({}) })
    .partial()
    .optional(),
});
const last = { pageInfo: { hasNextPage: false, endCursor: '' } };

/** What a request on GitHub says to those who look at it, in GitHub's own words. */
interface SaidOfRequest {
  readonly state?: 'OPEN' | 'MERGED';
  readonly headRefOid?: string;
  readonly checks?: readonly object[];
  readonly lines?: readonly object[];
}

/**
 * As much of GitHub as `gh` asks for when it opens pull requests and looks at them. gh reaches it by a Unix socket that its
 * own settings name, so that no certificate and no host name has to be made up.
 */
export class GithubService implements AsyncDisposable {
  readonly requests: Record<string, unknown>[] = [];
  refuses: string | undefined;
  said: SaidOfRequest = {};
  looks = 0;
  readonly #server: Server;
  #parent: string | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens, and signs the user of a home in to it. */
  static async open(home: string): Promise<GithubService> {
    const server = createServer();
    const service = new GithubService(server);
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += String(part);
      response.setHeader('content-type', 'application/json');
      response.setHeader('x-oauth-scopes', 'repo, read:org, gist');
      response.end(JSON.stringify(service.#answer(request.url ?? '', body)));
    };
    server.on('request', (request, response) => void answer(request, response));
    const socket = join(home, 'github.sock');
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const settings = join(home, '.config/gh');
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, 'config.yml'), `http_unix_socket: ${socket}\n`);
    writeFileSync(
      join(settings, 'hosts.yml'),
      'github.com:\n  user: ada\n  oauth_token: gho_scripted\n  git_protocol: https\n',
      { mode: 0o600 },
    );
    return service;
  }

  /** The repository that ada's is a fork of. */
  set parent(name: string | undefined) {
    this.#parent = name;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(path: string, body: string): unknown {
    if (path.includes('/pulls/')) return this.said.lines ?? [];
    if (path !== '/graphql') return {};
    const { query, variables = {} } = Call.parse(JSON.parse(body));
    const name = /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '';
    const data = this.#data(name, variables);
    return data ? { data } : { errors: [{ message: this.refuses ?? `The stand-in does not know ${name}.` }] };
  }

  #data(name: string, { headBranch, input }: NonNullable<z.infer<typeof Call>['variables']>) {
    switch (name) {
      case 'UserCurrent':
        return { viewer: { login: 'ada' } };
      case 'RepositoryInfo':
        return { repository: this.#repository() };
      case 'PullRequestList':
      case 'PullRequestForBranch': {
        const nodes = this.requests.filter(({ headRefName }) => headRefName === headBranch);
        return { repository: { pullRequests: { totalCount: nodes.length, nodes, ...last } } };
      }
      case 'PullRequestCreate':
        return this.refuses === undefined ? this.#create(input ?? {}) : undefined;
      case 'PullRequestByNumber':
        return { repository: { pullRequest: this.#view() } };
      default:
        return undefined;
    }
  }

  #repository() {
    const parent = this.#parent === undefined ? null : repositoryNamed(this.#parent);
    return { ...repositoryNamed('ada/engine'), isFork: parent !== null, parent };
  }

  #create(input: Readonly<Record<string, unknown>>) {
    const [owner, head] = String(input['headRefName']).split(':');
    const place = this.#parent ?? 'ada/engine';
    const url = `https://github.com/${place}/pull/${this.requests.length + 1}`;
    this.requests.push({
      url,
      baseRefName: input['baseRefName'],
      headRefName: head ?? owner,
      headRepositoryOwner: { id: 'U-ada', login: head === undefined ? 'ada' : owner },
      title: input['title'],
      body: input['body'],
      isDraft: input['draft'],
    });
    return { createPullRequest: { pullRequest: { id: 'P1', url } } };
  }

  #view() {
    this.looks += 1;
    const { state = 'OPEN', headRefOid = 'a1', checks = [] } = this.said;
    const contexts = { nodes: checks, ...last };
    return {
      id: 'P1',
      number: 1,
      state,
      headRefOid,
      comments: { nodes: [], ...last },
      reviews: { nodes: [], ...last },
      statusCheckRollup: { nodes: [{ commit: { statusCheckRollup: { contexts } } }] },
    };
  }
}

function repositoryNamed(fullName: string) {
  const [login, name] = fullName.split('/');
  return {
    id: `R-${fullName}`,
    name,
    owner: { id: `U-${login}`, login },
    viewerPermission: 'WRITE',
    defaultBranchRef: { name: 'main' },
  };
}
