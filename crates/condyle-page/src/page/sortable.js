// Sorts a table by the column whose head is clicked, and back by a second click.
(function () {
  "use strict";
  Array.prototype.forEach.call(document.querySelectorAll("table.sortable"), function (table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells), body = table.tBodies[0];
    heads.forEach(function (head, column) {
      var button = head.querySelector("button");
      if (!button) { return; }
      button.addEventListener("click", function () {
        var up = head.getAttribute("aria-sort") !== "ascending";
        var rows = Array.prototype.slice.call(body.rows);
        function key(row) { return row.cells[column].getAttribute("data-key"); }
        rows.sort(function (a, b) {
          var one = key(a), two = key(b), x = Number(one), y = Number(two);
          var order = one !== "" && two !== "" && !isNaN(x) && !isNaN(y)
            ? x - y : one.localeCompare(two, undefined, { numeric: true });
          return up ? order : -order;
        });
        rows.forEach(function (row) { body.appendChild(row); });
        heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
      });
    });
  });
}());
