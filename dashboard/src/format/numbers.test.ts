import { expect, test } from "vitest";
import { formatGrowth } from "./numbers.ts";

test("growth is shown in percent, and from ten times on as a factor", () => {
  expect(formatGrowth(100, 150)).toBe("+50%");
  expect(formatGrowth(100, 30)).toBe("−70%");
  expect(formatGrowth(20, 20)).toBe("±0%");
  expect(formatGrowth(1, 66)).toBe("×66");
});
