"""The official Python client signs in for /mcp as assistants do: it finds the provider,
registers, and is let in on the consent page. A person's part is played by a second
client that keeps cookies.
"""

import asyncio
import html
import os
import re
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

SERVER, PASSWORD = os.environ["QUERN_SERVER"], os.environ["QUERN_TEST_PASSWORD"]


class Person:
    """Signs in and answers on the consent page."""

    def __init__(self, answer, **ticked):
        self.answer, self.ticked, self.granted = answer, ticked, {}

    async def redirect(self, url):
        async with httpx2.AsyncClient(base_url=SERVER, follow_redirects=False, timeout=60) as browser:
            page = await self.follow(browser, await browser.get(url))
            page = await self.follow(browser, await self.send(browser, "/login", page, username="ada", password=PASSWORD))
            assert "localhost:3030" in page.text and "A tried assistant" in page.text, page.text
            answered = await self.send(browser, "/oauth2/consent", page, answer=self.answer, **self.ticked)
            self.granted = parse_qs(urlparse(answered.headers["Location"]).query)

    @staticmethod
    async def send(browser, path, page, **fields):
        hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text)
        return await browser.post(path, data={name: html.unescape(value) for name, value in hidden} | fields)

    @staticmethod
    async def follow(browser, response):
        while response.is_redirect:
            response = await browser.get(response.headers["Location"])
        return response

    async def callback(self):
        first = {name: values[0] for name, values in self.granted.items()}
        return AuthorizationCodeResult(code=first["code"], state=first["state"], iss=first.get("iss"))


class Store:
    """Keeps what the client is given."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def main():
    person, store = Person("allow"), Store()
    metadata = OAuthClientMetadata(client_name="A tried assistant", redirect_uris=["http://localhost:3030/cb"])
    auth = OAuthClientProvider(SERVER + "/mcp", metadata, store, person.redirect, person.callback)
    async with httpx2.AsyncClient(auth=auth, timeout=120) as http:
        async with streamable_http_client(SERVER + "/mcp", http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                listed = await session.call_tool("list_datasets", {})
                assert "ada/harbour/ships" in listed.content[0].text, listed
                refused = await session.call_tool("prepare_upload", {"files": [{"filename": "a.csv", "size": 4}]})
                assert refused.is_error and "READ_ONLY" in refused.content[0].text, refused
    async with httpx2.AsyncClient(headers={"Authorization": "Bearer " + store.tokens.access_token}, timeout=60) as other:
        elsewhere = await other.get(SERVER + "/api/v1/user/me")
        assert elsewhere.status_code == 401, elsewhere.text
    print("ok signed in")


asyncio.run(main())
