// Finds an agent in the server's catalog and connects to it as its card asks.
import { ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory,
  createAuthenticatingFetchWithRetry } from '@a2a-js/sdk/client';

// catalog lists the server's agents.
export async function catalog(server) {
  const response = await fetch(`${server}/api/v1/a2a`);
  return response.json();
}

// authorized gives a fetch that carries the token for every scheme that the card
// requires, whatever the schemes are called.
export function authorized(card, token) {
  const headers = {};
  for (const requirement of card.securityRequirements) {
    for (const name of Object.keys(requirement.schemes)) {
      const scheme = card.securitySchemes[name].scheme;
      if (scheme.$case === 'httpAuthSecurityScheme') headers.Authorization = `${scheme.value.scheme} ${token}`;
    }
  }
  return createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => headers,
    shouldRetryWithHeaders: async () => undefined,
  });
}

// connect makes a client for an entry of the catalog, over a binding.
export async function connect(entry, token, binding) {
  const card = await new DefaultAgentCardResolver().resolve(entry.agentCard, '');
  const fetchImpl = authorized(card, token);
  const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
    preferredTransports: [binding],
  }));
  return { card, client: await factory.createFromAgentCard(card) };
}
