/* SPDX-License-Identifier: MIT
 *
 * Operations: of the platform, seen from outside, or known by what they do; and those that are
 * machines, which are run by the action that calls them. */
#include "chart/resolve_internal.h"

#include <string.h>

enum { PERFORM_DEPTH_MAX = 16 };

static bool has_machine(const hk_rcitem *operation) {
    for (size_t i = 0; i < operation->item_count; i++)
        if (operation->items[i].kind == HK_RC_INITIAL || operation->items[i].kind == HK_RC_STATE)
            return true;
    return false;
}

static bool has_item(const hk_rcitem *item, hk_rcitem_kind kind) {
    for (size_t i = 0; i < item->item_count; i++)
        if (item->items[i].kind == kind)
            return true;
    return false;
}

/* The definition of an operation of the platform: any of that name in the files. */
static hk_rcfound find_definition(const hk_rcmodule *module, const char *name) {
    const hk_resolver *r = module->r;
    hk_rcfound found = hk_rcr_find(r, module->file, HK_RC_OPERATION, name);
    for (size_t i = 0; !found.item && i < r->file_count; i++)
        found = hk_rcr_find(r, r->files[i], HK_RC_OPERATION, name);
    return found;
}

/* ---- operations of the platform ---------------------------------------------------------------
 */

static bool resolve_signature(hk_resolver *r, const hk_rcmember *member,
                              hk_chart_operation *operation) {
    const hk_rcitem *item = member->item;
    hk_chart_field *parameters = HK_NEW_ARRAY(r->arena, hk_chart_field, item->var_count + 1);
    uint32_t size = 0;
    for (size_t i = 0; i < item->var_count; i++) {
        const hk_chart_type *type = hk_rcr_type(r, member->file, item->vars[i].type);
        if (!type)
            return false;
        parameters[i] = (hk_chart_field){item->vars[i].name.text, type, size};
        size += type->size;
    }
    operation->cell = r->memory_size;
    r->memory_size += size;
    operation->parameters = parameters;
    operation->parameter_count = (uint32_t)item->var_count;
    return true;
}

/* Its parameters by the names of its definition, and the variables of the platform. */
static hk_rcenv environment(const hk_rcmodule *module, hk_rcfound found,
                            const hk_chart_operation *operation) {
    hk_resolver *r = module->r;
    size_t count = operation->parameter_count;
    hk_rcname *names = HK_NEW_ARRAY(r->arena, hk_rcname, count + module->name_count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = (hk_rcname){.name = found.item->vars[i].name.text,
                               .type = operation->parameters[i].type,
                               .cell = operation->cell + operation->parameters[i].offset,
                               .constant = true,
                               .parameter = true};
    if (module->name_count)
        memcpy(names + count, module->names, module->name_count * sizeof *names);
    return (hk_rcenv){
        .r = r, .file = found.file, .names = names, .name_count = count + module->name_count};
}

static const hk_rcexpr *without_parens(const hk_rcexpr *expr) {
    while (expr->kind == HK_RCE_PARENS)
        expr = expr->args[0];
    return expr;
}

/* variable == E /\ ... as assignments. */
static bool add_effects(hk_rcenv *env, const hk_rcexpr *expr, hk_list *parts) {
    expr = without_parens(expr);
    bool binary = expr->kind == HK_RCE_BINARY;
    if (binary && strcmp(expr->name.text, "/\\") == 0)
        return add_effects(env, expr->args[0], parts) && add_effects(env, expr->args[1], parts);
    const hk_rcexpr *place = binary ? without_parens(expr->args[0]) : NULL;
    if (!binary || strcmp(expr->name.text, "==") != 0 || place->kind != HK_RCE_REF)
        return hk_rcr_refuse(env->r, hk_rcr_where(env->file, &expr->at),
                             "postconditions of operations other than variable == E",
                             "join several by /\\");
    hk_chart_stmt *stmt = HK_NEW(env->r->arena, hk_chart_stmt);
    *stmt = (hk_chart_stmt){.does = HK_CHART_ASSIGN,
                            .event = HK_CHART_NONE,
                            .operation = HK_CHART_NONE,
                            .machine = HK_CHART_NONE,
                            .clock = HK_CHART_NONE,
                            .line = expr->at.line,
                            .column = expr->at.column};
    if (!hk_rcr_target(env, place, &stmt->place) ||
        !hk_rcr_code(env, expr->args[1], stmt->place.type, "the variable", &stmt->value))
        return false;
    hk_list_add(parts, &stmt);
    return true;
}

static bool resolve_effect(hk_rcenv *env, hk_rcfound found, hk_chart_operation *operation) {
    hk_list parts = HK_LIST(const hk_chart_stmt *);
    hk_list conditions = HK_LIST(hk_chart_code);
    bool ok = true;
    for (size_t i = 0; i < found.item->item_count; i++) {
        const hk_rcitem *item = &found.item->items[i];
        hk_chart_code code;
        if (item->kind == HK_RC_POSTCONDITION)
            ok = add_effects(env, item->value, &parts) && ok;
        if (item->kind != HK_RC_PRECONDITION)
            continue;
        ok = hk_rcr_code(env, item->value, hk_rcr_core(env->r, HK_CHART_BOOLEAN), "a precondition",
                         &code) &&
             ok;
        hk_list_add(&conditions, &code);
    }
    hk_chart_stmt *effect = HK_NEW(env->r->arena, hk_chart_stmt);
    *effect = (hk_chart_stmt){.does = HK_CHART_SEQUENTIAL,
                              .part_count = (uint32_t)parts.count,
                              .event = HK_CHART_NONE,
                              .operation = HK_CHART_NONE,
                              .machine = HK_CHART_NONE,
                              .clock = HK_CHART_NONE,
                              .line = operation->line,
                              .column = operation->column};
    operation->kind = parts.count ? HK_CHART_EFFECT : HK_CHART_HIDDEN;
    operation->precondition_count = (uint32_t)conditions.count;
    operation->preconditions = hk_list_keep(env->r->arena, &conditions);
    effect->parts = hk_list_keep(env->r->arena, &parts);
    operation->effect = effect->part_count ? effect : NULL;
    return ok;
}

static bool same_parameters(hk_resolver *r, hk_rcfound found, const hk_chart_operation *operation) {
    bool same = found.item->var_count == operation->parameter_count;
    for (size_t i = 0; same && i < found.item->var_count; i++)
        same =
            hk_rcr_type(r, found.file, found.item->vars[i].type) == operation->parameters[i].type;
    return same || hk_rcr_error(r, hk_rcr_where(found.file, &found.item->name.at), HK_E_CHART, NULL,
                                "operation '%s' has other parameters than the platform provides",
                                operation->name);
}

/* An operation that is known by what it does, or not at all. */
static void add_operation(hk_rcmodule *module, const hk_rcmember *member, hk_rcfound found) {
    hk_resolver *r = module->r;
    hk_chart_operation operation = {.kind = HK_CHART_VISIBLE,
                                    .name = member->name,
                                    .line = member->at->line,
                                    .column = member->at->column};
    if (found.item && has_machine(found.item))
        return; /* each call of it is a machine */
    if (!resolve_signature(r, member, &operation))
        return;
    if (found.item) {
        if (!same_parameters(r, found, &operation))
            return;
        if (!has_item(found.item, HK_RC_TERMINATES)) {
            hk_rcr_error(r, hk_rcr_where(found.file, &found.item->name.at), HK_E_SUBSET,
                         "say 'terminates', or leave it out: then it is an output",
                         "not in hocket's subset: operation '%s' that has no machine and does not "
                         "say 'terminates'",
                         member->name);
            return;
        }
        hk_rcenv env = environment(module, found, &operation);
        if (!resolve_effect(&env, found, &operation))
            return;
    }
    hk_list_add(&r->operations, &operation);
}

static bool is_there(const hk_resolver *r, const char *name) {
    const hk_chart_operation *all = r->operations.data;
    for (size_t i = 0; i < r->operations.count; i++)
        if (strcmp(all[i].name, name) == 0)
            return true;
    return false;
}

/* Those of controllers have no port, so they need a definition. */
static void add_of_controller(hk_rcmodule *module, const hk_rccontroller *controller) {
    for (size_t i = 0; i < controller->operation_count; i++) {
        hk_rcfound found = controller->operations[i].found;
        hk_rcmember member = {.kind = HK_RC_SIGNATURE,
                              .name = found.item->name.text,
                              .item = found.item,
                              .file = found.file,
                              .at = &found.item->name.at};
        if (!is_there(module->r, member.name))
            add_operation(module, &member, found);
    }
}

void hk_rcr_operations(hk_rcmodule *module) {
    for (size_t i = 0; i < module->members.count; i++) {
        const hk_rcmember *member = &module->members.all[i];
        if (member->kind == HK_RC_SIGNATURE && !is_there(module->r, member->name))
            add_operation(module, member, find_definition(module, member->name));
    }
    for (size_t i = 0; i < module->controller_count; i++)
        add_of_controller(module, &module->controllers[i]);
}

/* ---- calls ------------------------------------------------------------------------------------
 */

static hk_chart_stmt *new_call(hk_rcmachine *m, const hk_rcstmt *stmt, hk_chart_does does) {
    hk_chart_stmt *made = HK_NEW(m->module->r->arena, hk_chart_stmt);
    *made = (hk_chart_stmt){.does = does,
                            .event = HK_CHART_NONE,
                            .operation = HK_CHART_NONE,
                            .machine = HK_CHART_NONE,
                            .clock = HK_CHART_NONE,
                            .blocks = does == HK_CHART_PERFORM,
                            .line = stmt->at.line,
                            .column = stmt->at.column};
    return made;
}

/* TYPES: of the parameters, whose names are NAMES. */
static bool resolve_args(hk_rcmachine *m, const hk_rcstmt *stmt, hk_chart_stmt *made,
                         const hk_chart_field *parameters, size_t count) {
    hk_resolver *r = m->module->r;
    hk_rcenv env = hk_rcr_env(m);
    if (stmt->arg_count != count)
        return hk_rcr_error(r, hk_rcr_where(m->file, &stmt->at), HK_E_CHART, NULL,
                            "operation '%s' has %zu parameter%s, and %zu %s given", stmt->name.text,
                            count, hk_plural(count), stmt->arg_count,
                            stmt->arg_count == 1 ? "is" : "are");
    hk_chart_code *args = HK_NEW_ARRAY(r->arena, hk_chart_code, count + 1);
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        const char *what = hk_arena_printf(r->arena, "parameter '%s' of '%s'", parameters[i].name,
                                           stmt->name.text);
        ok = hk_rcr_code(&env, stmt->args[i], parameters[i].type, what, &args[i]) && ok;
    }
    made->args = args;
    made->arg_count = (uint32_t)count;
    return ok;
}

static void resolve_conditions(hk_rcmachine *m, hk_rcitem_kind kind,
                               const hk_chart_code **ret_codes, uint32_t *ret_count) {
    hk_rcenv env = hk_rcr_env(m);
    hk_list codes = HK_LIST(hk_chart_code);
    for (size_t i = 0; i < m->item->item_count; i++) {
        hk_chart_code code;
        if (m->item->items[i].kind == kind &&
            hk_rcr_code(&env, m->item->items[i].value, hk_rcr_core(env.r, HK_CHART_BOOLEAN),
                        "a condition", &code))
            hk_list_add(&codes, &code);
    }
    *ret_count = (uint32_t)codes.count;
    *ret_codes = hk_list_keep(env.r->arena, &codes);
}

/* The operation as a machine of its own. */
static hk_rcmachine *new_machine(hk_rcmachine *caller, hk_rcfound found) {
    hk_resolver *r = caller->module->r;
    const char *name = found.item->name.text;
    hk_rcmachine *m = HK_NEW(r->arena, hk_rcmachine);
    uint32_t before = hk_map_get(&caller->performed, name);
    uint32_t number = before == HK_MAP_NONE ? 1 : before + 1;
    const char *suffix = number > 1 ? hk_arena_printf(r->arena, "%u", number) : "";
    *m = (hk_rcmachine){.name = name,
                        .path = hk_arena_printf(r->arena, "%s.%s%s", caller->path, name, suffix),
                        .item = found.item,
                        .file = found.file,
                        .index = (uint32_t)r->machines.count,
                        .controller = caller->controller,
                        .module = caller->module,
                        .caller = caller};
    if (before == HK_MAP_NONE)
        hk_map_put(&caller->performed, name, 1);
    else
        for (size_t i = 0; i < caller->performed.cap; i++)
            if (caller->performed.entries[i].key &&
                strcmp(caller->performed.entries[i].key, name) == 0)
                caller->performed.entries[i].value = number;
    hk_list_add(&r->machines, &(hk_chart_machine){.name = name});
    m->members = hk_rcr_members(r, found.file, found.item);
    return m;
}

/* Parameters are variables that its own actions do not assign to. */
static bool add_parameters(hk_rcmachine *m, hk_chart_field *parameters, hk_rcname *names,
                           hk_chart_target *targets) {
    hk_resolver *r = m->module->r;
    hk_rcowner owner = {.name = m->name, .path = m->path, .machine = m->index};
    for (size_t i = 0; i < m->item->var_count; i++) {
        const hk_rcvar *var = &m->item->vars[i];
        hk_chart_variable variable = {.name = var->name.text,
                                      .type = hk_rcr_type(r, m->file, var->type),
                                      .line = var->name.at.line,
                                      .column = var->name.at.column};
        if (!variable.type)
            return false;
        names[i] = hk_rcr_add_variable(r, &owner, variable);
        names[i].constant = names[i].parameter = true;
        parameters[i] = (hk_chart_field){variable.name, variable.type, 0};
        targets[i] = (hk_chart_target){.cell = names[i].cell, .type = variable.type};
    }
    return true;
}

static uint32_t depth_of(const hk_rcmachine *m) {
    uint32_t depth = 0;
    for (; m->caller; m = m->caller)
        depth++;
    return depth;
}

static const hk_chart_stmt *perform(hk_rcmachine *caller, const hk_rcstmt *stmt, hk_rcfound found) {
    hk_resolver *r = caller->module->r;
    hk_rcmodule *module = (hk_rcmodule *)(uintptr_t)caller->module;
    size_t count = found.item->var_count;
    for (const hk_rcmachine *m = caller; m; m = m->caller)
        if (m->item == found.item || depth_of(caller) == PERFORM_DEPTH_MAX ||
            r->machines.count > 1000) {
            hk_rcr_error(r, hk_rcr_where(caller->file, &stmt->at), HK_E_CHART, NULL,
                         "operation '%s' runs itself, or operations run each other too often",
                         found.item->name.text);
            return NULL;
        }
    hk_rcmachine *m = new_machine(caller, found);
    hk_chart_field *parameters = HK_NEW_ARRAY(r->arena, hk_chart_field, count + 1);
    hk_rcname *names = HK_NEW_ARRAY(r->arena, hk_rcname, count + 1);
    hk_chart_target *targets = HK_NEW_ARRAY(r->arena, hk_chart_target, count + 1);
    if (!add_parameters(m, parameters, names, targets))
        return NULL;
    const hk_rccontroller *controller = &module->controllers[caller->controller];
    hk_rcowner owner = {.name = m->name,
                        .path = m->path,
                        .machine = m->index,
                        .above = controller->names,
                        .above_count = controller->name_count,
                        .file = m->file,
                        .parameters = names,
                        .parameter_count = count};
    m->names = hk_rcr_variables(r, &m->members, &owner, &m->name_count);
    hk_rcr_machine(module, m);
    hk_chart_machine *machine = &((hk_chart_machine *)r->machines.data)[m->index];
    const hk_chart_code *before, *after;
    uint32_t before_count, after_count;
    resolve_conditions(m, HK_RC_PRECONDITION, &before, &before_count);
    resolve_conditions(m, HK_RC_POSTCONDITION, &after, &after_count);
    machine->parameters = targets;
    machine->parameter_count = (uint32_t)count;
    machine->preconditions = before;
    machine->precondition_count = before_count;
    machine->postconditions = after;
    machine->postcondition_count = after_count;
    hk_chart_stmt *made = new_call(caller, stmt, HK_CHART_PERFORM);
    made->machine = m->index;
    return resolve_args(caller, stmt, made, parameters, count) ? made : NULL;
}

/* The definition that the controller has, or (an operation of the platform) any. */
static hk_rcfound find_operation(const hk_rcmachine *m, const char *name) {
    const hk_rccontroller *controller = &m->module->controllers[m->controller];
    for (size_t i = 0; i < controller->operation_count; i++)
        if (strcmp(controller->operations[i].name, name) == 0 ||
            strcmp(controller->operations[i].found.item->name.text, name) == 0)
            return controller->operations[i].found;
    return find_definition(m->module, name);
}

bool hk_rcr_provides(const hk_rcmachine *m, const char *operation) {
    const hk_rccontroller *controller = &m->module->controllers[m->controller];
    for (size_t i = 0; i < controller->operation_count; i++)
        if (strcmp(controller->operations[i].found.item->name.text, operation) == 0)
            return true;
    return hk_rcr_member(&m->module->members, HK_RC_SIGNATURE, operation);
}

/* A call without a signature that the machine requires is reported. */
static bool is_required(hk_rcmachine *m, const hk_rcstmt *stmt) {
    hk_resolver *r = m->module->r;
    if (hk_rcr_member(&m->members, HK_RC_SIGNATURE, stmt->name.text))
        return true;
    if (m->members.broken)
        return false;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, m->members.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < m->members.count; i++)
        if (m->members.all[i].kind == HK_RC_SIGNATURE)
            names[count++] = m->members.all[i].name;
    const char *hint =
        hk_complaint_suggest(&r->complaints, r->arena, stmt->name.text, names, count);
    return hk_rcr_error(r, hk_rcr_where(m->file, &stmt->name.at), HK_E_NAME,
                        hint ? hint : "require an interface that has it",
                        "machine '%s' requires no operation '%s'", m->item->name.text,
                        stmt->name.text);
}

const hk_chart_stmt *hk_rcr_call_operation(hk_rcmachine *m, const hk_rcstmt *stmt) {
    hk_resolver *r = m->module->r;
    if (!is_required(m, stmt))
        return NULL;
    hk_rcfound found = find_operation(m, stmt->name.text);
    if (found.item && has_machine(found.item))
        return perform(m, stmt, found);
    const hk_chart_operation *all = r->operations.data;
    for (size_t i = 0; i < r->operations.count; i++) {
        if (strcmp(all[i].name, stmt->name.text) != 0)
            continue;
        hk_chart_stmt *made = new_call(m, stmt, HK_CHART_OPERATE);
        made->operation = (uint32_t)i;
        return resolve_args(m, stmt, made, all[i].parameters, all[i].parameter_count) ? made : NULL;
    }
    return NULL; /* what is required and not there has been reported */
}
