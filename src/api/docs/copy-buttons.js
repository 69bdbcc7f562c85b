// A button at each code block that copies it. Browsers offer the clipboard on https and on this machine only.
if (navigator.clipboard) {
  for (const code of document.querySelectorAll("main pre > code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        // The browser refused; the text can still be selected.
        button.textContent = "Not copied";
      }
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2_000);
    });
    code.after(button);
  }
}
