/**
 * A client of Quern for browsers and Node: the types of the contract, calls
 * that are checked against them, runs that are followed through cut
 * connections, and uploads that pause and go on.
 */
export * from "./call.js";
export * from "./client.js";
export * from "./dataset.js";
export * from "./error.js";
export { parse } from "./json.js";
export * from "./result.js";
export * from "./stream.js";
export * from "./upload.js";
export type * from "./schema.gen.js";
