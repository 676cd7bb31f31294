// A real OpenID provider for the tests of packages auth and web.
//
//   node server.mjs PORT AUDIENCE SITE
//
// It makes new signing keys at every start, so that a restart on the same port
// is a rotation, and prints "ready" once it listens. Anyone may sign in under
// any name with the provider's own development pages; the name becomes the
// subject and the preferred_username of JWT access tokens for the audience. The
// client "console", at SITE, signs browsers in: it has a secret and refresh tokens,
// and has to ask for the username. The client "cli" is that of command lines.
import { createServer } from 'node:http';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import Provider from 'oidc-provider';

const [port, audience, site] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };

const provider = new Provider(issuer, {
  jwks: { keys: [key] },
  cookies: { keys: [randomUUID()] },
  clients: [
    {
      client_id: 'page',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1/callback'],
      application_type: 'native',
    },
    {
      client_id: 'console',
      client_secret: 'console-secret',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [`${site}/callback`],
      post_logout_redirect_uris: [`${site}/`],
    },
    {
      client_id: 'cli',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['http://127.0.0.1/callback'],
      application_type: 'native',
    },
    {
      client_id: 'machine',
      client_secret: 'machine-secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    },
  ],
  scopes: ['openid', 'profile', 'data'],
  claims: { openid: ['sub'], profile: ['preferred_username'] },
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id }) }),
  extraTokenClaims: (_ctx, token) => ({ preferred_username: token.accountId ?? token.clientId }),
  features: {
    devInteractions: { enabled: true },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'data',
        audience,
        accessTokenTTL: 600,
        accessTokenFormat: 'jwt',
      }),
    },
  },
});

const server = createServer(provider.callback());
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
// The test's end closes standard input, even when the test dies.
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
