// The actions of a user's hands: press the words of a choice, not its little box, and type key by key. Playwright's
// check() and fill() reach controls in ways that no user has.
import type { Locator, Page } from "playwright-core";

/** As long as a finger rests on a button: what happens between press and release must not undo the click. */
const pressMs = 40;

/** Presses the middle of the label of a checkbox or radio button that is off. */
export async function choose(
  scope: Page | Locator,
  label: string,
  options: { exact?: boolean } = {},
): Promise<void> {
  const control = scope.getByLabel(label, options);
  const box = await control.elementHandle();
  await press(control.locator("xpath=ancestor::label[1]"));
  await control.page().waitForFunction((box) => box?.matches(":checked"), box);
}

/** Clicks, or taps where there is a touchscreen. */
export async function press(target: Locator): Promise<void> {
  // The target is waited for, while the page itself may be leaving for another document.
  const isTouch = await target.evaluate("navigator.maxTouchPoints > 0");
  await (isTouch ? target.tap() : target.click({ delay: pressMs }));
}

/** Types in place of what the field has. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await press(field);
  await field.press("ControlOrMeta+a");
  await field.press("Delete");
  await field.pressSequentially(text);
}
