// SPDX-License-Identifier: MIT
/** What makes an element take signals that are dropped on it. */
export function drops(take: (name: string) => void) {
  const over = (e: DragEvent, on: boolean) => (e.currentTarget as HTMLElement).classList.toggle("over", on);
  return {
    over: (e: DragEvent) => {
      e.preventDefault();
      e.dataTransfer!.dropEffect = "copy";
      over(e, true);
    },
    leave: (e: DragEvent) => over(e, false),
    drop: (e: DragEvent) => {
      e.preventDefault();
      over(e, false);
      take(e.dataTransfer!.getData("text/plain"));
    },
  };
}
