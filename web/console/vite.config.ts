import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Makes the page a template of the server, which says where the build is served and gives each answer its nonce. */
const template: Plugin = {
  name: "template",
  transformIndexHtml: {
    order: "post",
    handler: (html) => ({
      html: html.replaceAll('="./', '="{{.Assets}}/'),
      tags: [
        { tag: "link", attrs: { rel: "icon", href: "/assets/favicon.svg", type: "image/svg+xml" } },
        { tag: "link", attrs: { rel: "apple-touch-icon", href: "/assets/icon.png" } },
      ],
    }),
  },
};

/** The built names carry no hashes: the server puts the build's id into the path that they are served under. */
export default defineConfig({
  base: "./",
  plugins: [react(), template],
  resolve: { alias: { "@quern/client": new URL("../../clients/typescript/src/index.ts", import.meta.url).pathname } },
  html: { cspNonce: "{{.Nonce}}" },
  build: {
    target: "es2022",
    cssTarget: ["chrome123", "firefox128", "safari17.5"],
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsDir: "",
    rollupOptions: {
      output: {
        entryFileNames: "console.js",
        chunkFileNames: "[name].js",
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith(".css")) ? "console.css" : "[name][extname]"),
      },
    },
  },
});
