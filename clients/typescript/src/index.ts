/**
 * A client of Quern for browsers and Node: the types of the contract, calls
 * that are checked against them, runs that are followed through cut
 * connections, and uploads that pause and go on.
 */
export * from "./call";
export * from "./error";
export * from "./stream";
export * from "./upload";
export type * from "./schema.gen";
