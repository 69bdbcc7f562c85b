// Loaded by every test file: hashes of passwords cost a hundredth of what they cost in the service. A hash names its
// costs, so that checking it costs as little.
import { hashCosts } from "../../src/use-cases/accounts/password-hash.ts";

Object.assign(hashCosts, { N: 1_024, p: 1 });
